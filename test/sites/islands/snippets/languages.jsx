export const Language = React.createContext('none');

export const ChooseLanguage = ({ children }) => {
  const [name, setName] = useState('Python');
  return (
    <Language.Provider value={name}>
      <button type="button" onClick={() => setName('Go')}>
        Use Go
      </button>
      {children}
    </Language.Provider>
  );
};

export const LanguageName = () => <mark>{useContext(Language)}</mark>;

export const OnlyFor = ({ language, children }) => (useContext(Language) === language ? <section>{children}</section> : null);
