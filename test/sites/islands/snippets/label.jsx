export const Label = ({ count }) => <output>{count}</output>;
