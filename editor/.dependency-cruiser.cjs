/** The editor's arrows: lib, components, graph <- document <- features <- app. */
const room = (path) => `^src/${path}`

module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-app',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app/|main\\.tsx)' },
      to: { path: room('app/') },
    },
    {
      name: 'features-are-only-for-app',
      severity: 'error',
      from: { path: '^src/(lib|components|graph|document)/' },
      to: { path: room('features/') },
    },
    {
      name: 'features-never-import-each-other',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'app-enters-a-feature-by-its-door',
      severity: 'error',
      from: { path: room('app/') },
      to: { path: '^src/features/[^/]+/', pathNot: '^src/features/[^/]+/index\\.tsx?$' },
    },
    {
      name: 'the-low-rooms-do-not-know-the-document',
      severity: 'error',
      from: { path: '^src/(lib|components|graph)/' },
      to: { path: room('document/') },
    },
    {
      name: 'graph-is-pure',
      severity: 'error',
      from: { path: room('graph/') },
      to: { path: '(^src/components/|^src/lib/api/|node_modules/(react|react-dom|@xyflow/react)/)' },
    },
    {
      name: 'lib-does-not-know-components',
      severity: 'error',
      from: { path: room('lib/') },
      to: { path: room('components/') },
    },
    {
      name: 'only-lib-api-talks-to-the-server',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/lib/(api/|api\\.gen/)' },
      to: { path: '^src/lib/api\\.gen/', pathNot: 'types\\.gen\\.ts$' },
    },
    {
      name: 'tests-stay-out-of-the-product',
      severity: 'error',
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
