/**
 * The import rules of the editor. Layers, low to high: lib, components and graph; document; features; app.
 * A module imports from its own layer or a lower one.
 */
const layer = (path) => `^src/${path}`

module.exports = {
  forbidden: [
    {
      name: 'no-import-cycles',
      severity: 'error',
      comment:
        'Two modules that import each other cannot be read or tested alone. Move the shared part into a third module.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-imports-from-app',
      severity: 'error',
      comment: 'app/ composes the features; only main.tsx and app/ itself import it.',
      from: { path: '^src/', pathNot: '^src/(app/|main\\.tsx)' },
      to: { path: layer('app/') },
    },
    {
      name: 'no-feature-imports-below-app',
      severity: 'error',
      comment:
        'Layers below the features must not depend on one. Move the shared code to lib/, components/, graph/ or document/.',
      from: { path: '^src/(lib|components|graph|document)/' },
      to: { path: layer('features/') },
    },
    {
      name: 'no-imports-between-features',
      severity: 'error',
      comment:
        'A feature must not import another feature. Move the shared code to a lower layer, or compose both in app/.',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'import-features-through-index',
      severity: 'error',
      comment: 'app/ imports a feature through its index file, which lists what the feature exports.',
      from: { path: layer('app/') },
      to: { path: '^src/features/[^/]+/', pathNot: '^src/features/[^/]+/index\\.tsx?$' },
    },
    {
      name: 'no-document-imports-in-lower-layers',
      severity: 'error',
      comment: 'lib/, components/ and graph/ must not depend on the open document.',
      from: { path: '^src/(lib|components|graph)/' },
      to: { path: layer('document/') },
    },
    {
      name: 'graph-has-no-ui-or-api',
      severity: 'error',
      comment: 'graph/ holds pure functions on flow documents: no React, no components, no requests.',
      from: { path: layer('graph/') },
      to: { path: '(^src/components/|^src/lib/api/|node_modules/(react|react-dom|@xyflow/react)/)' },
    },
    {
      name: 'no-component-imports-in-lib',
      severity: 'error',
      comment: 'lib/ is below components/. Pass components in, or move the module to components/.',
      from: { path: layer('lib/') },
      to: { path: layer('components/') },
    },
    {
      name: 'server-requests-only-in-lib-api',
      severity: 'error',
      comment: 'Only lib/api/ calls the generated client. Other modules may import its types.',
      from: { path: '^src/', pathNot: '^src/lib/(api/|api\\.gen/)' },
      to: { path: '^src/lib/api\\.gen/', pathNot: 'types\\.gen\\.ts$' },
    },
    {
      name: 'no-test-imports-in-product-code',
      severity: 'error',
      comment: 'Product code must not import tests or test helpers.',
      from: { pathNot: '\\.test\\.tsx?$|^src/test/' },
      to: { path: '\\.test\\.tsx?$|^src/test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/lib/api\\.gen/(core|client)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
