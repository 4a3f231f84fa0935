export const Shot = ({ title, children }) => <figure>{children}</figure>;

export const Leave = ({ to }) => (
  <button type="button" onClick={() => { window.location.href = to; }}>
    Leave {new URL(window.location).protocol.slice(0, 4)}
  </button>
);

export const Choice = () => null;

export const Gallery = ({ children }) => {
  const [shown, setShown] = useState(0);
  const shots = React.Children.toArray(children).filter(React.isValidElement);
  return (
    <div id="gallery">
      {shots.map((shot, index) => (
        <button key={shot.props.title} type="button" onClick={() => setShown(index)}>
          {shot.props.title}
        </button>
      ))}
      {shots[shown]}
    </div>
  );
};

export const Choices = ({ children }) => {
  const choices = React.Children.toArray(children).map((child) => child.props);
  const [value, setValue] = useState(choices[0].value);
  return (
    <div id="choices">
      <select aria-label="Plan" value={value} onChange={(event) => setValue(event.target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <p>{choices.find((choice) => choice.value === value).children}</p>
    </div>
  );
};

export const Pane = ({ title, isOpen, onPick, children }) => (
  <section>
    <button type="button" onClick={onPick}>
      {title}
    </button>
    {isOpen && <blockquote>{children}</blockquote>}
  </section>
);

export const Panes = ({ children }) => {
  const [open, setOpen] = useState(0);
  const panes = React.Children.toArray(children).filter((child) => child.type === Pane);
  return (
    <div id="panes">
      {panes.map((pane, at) => React.cloneElement(pane, { isOpen: at === open, onPick: () => setOpen(at) }))}
    </div>
  );
};

export const Views = ({ children }) => {
  const [shown, setShown] = useState(0);
  const views = React.Children.toArray(children).filter((child) => child.type === Tab);
  return (
    <div id="views">
      {views.map((view, at) => (
        <button key={view.props.title} type="button" onClick={() => setShown(at)}>
          {view.props.title}
        </button>
      ))}
      <blockquote>{views[shown].props.children}</blockquote>
    </div>
  );
};
