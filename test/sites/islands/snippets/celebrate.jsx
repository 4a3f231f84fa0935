import confetti, { Shape } from 'canvas-confetti'
import PropTypes from 'prop-types'

const fire = confetti.create(null)
const star = new Shape(`${confetti.version}`)

export const Celebrate = ({ label }) => {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>{label} {fire(star)}</button>
}

Celebrate.propTypes = { label: PropTypes.oneOf(['Hooray']).isRequired }
