/** Home: the question and the agent chooser. */
export const home = {
  question: 'What do you need today ?',
  subtitle: 'Select an agent and start creating assets',
  unsigned: 'Results are neutral and unsigned.',
  addBrand: 'Add your brand',
  addBrandOf: 'Add your brand: {{name}}',
  create: 'Create a new flow',
  chooser: 'Agents to choose from',
  searchOpen: 'Search',
  searchLabel: 'Search agents',
  dropTitle: 'Drop images anywhere',
  dropHelp: 'PNG, JPEG, WebP or GIF, up to 200 MB each',
}
