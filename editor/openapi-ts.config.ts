import { defineConfig } from '@hey-api/openapi-ts'

const COLLECTIONS = ['assets', 'credentials', 'flows', 'nodes', 'runs']

/** The typed client, from the server's own description of itself. */
export default defineConfig({
  input: 'openapi.json',
  output: { path: 'src/lib/api.gen', clean: true },
  parser: {
    patch: {
      // The server answers a collection with and without a trailing slash. The product's routes have it.
      input: ({ paths }) => {
        for (const path of COLLECTIONS.map((name) => `/api/v1/${name}` as const)) {
          if (!paths?.[path]) continue
          paths[`${path}/`] = paths[path]
          delete paths[path]
        }
      },
    },
  },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', runtimeConfigPath: '../api/client-config' },
    { name: '@hey-api/sdk' },
  ],
})
