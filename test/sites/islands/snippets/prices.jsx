export const Prices = () => {
  const [rows, setRows] = useState([]);
  useEffect(() => {
    fetch('/data/prices.json')
      .then((response) => response.json())
      .then(setRows);
  }, []);
  return (
    <ul aria-label="Prices">
      {rows.map(({ name, price }) => (
        <li key={name}>
          {name}: {price}
        </li>
      ))}
    </ul>
  );
};
