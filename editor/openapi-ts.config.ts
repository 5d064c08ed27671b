import { defineConfig } from '@hey-api/openapi-ts'

const COLLECTIONS = ['assets', 'credentials', 'flows', 'nodes', 'runs']

/** Generates the typed client from the server's OpenAPI document. */
export default defineConfig({
  input: 'openapi.json',
  output: { path: 'src/lib/api.gen', clean: true },
  parser: {
    patch: {
      // The server accepts collection paths with and without a trailing slash; the client uses the slash.
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
