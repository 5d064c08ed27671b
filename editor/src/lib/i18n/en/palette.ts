/** The node palette. */
export const palette = {
  label: 'Nodes',
  search: 'Add a node',
  close: 'Close node list',
  category: {
    inputs: 'Inputs',
    ai_models: 'AI models',
    advanced_models: 'Advanced models',
    transform_assets: 'Transform assets',
  },
  none: 'No results found',
  compatible: { source: 'Nodes that take {{type}}', target: 'Nodes that give {{type}}' },
  beta: 'Private beta',
  pluginErrors: '{{count}} plugin could not be loaded',
  pluginErrors_other: '{{count}} plugins could not be loaded',
  pluginsRefused: '{{count}} plugin is not admitted on this server',
  pluginsRefused_other: '{{count}} plugins are not admitted on this server',
  takes: 'Takes {{types}}',
  gives: 'Gives {{types}}',
} as const
