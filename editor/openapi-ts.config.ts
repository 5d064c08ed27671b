import { defineConfig } from '@hey-api/openapi-ts'

/** The typed client, from the server's own description of itself. */
export default defineConfig({
  input: 'openapi.json',
  output: { path: 'src/lib/api.gen', clean: true },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', runtimeConfigPath: '../api/client-config' },
    { name: '@hey-api/sdk' },
  ],
})
