import type { Plugin } from 'vite'

const EXCEPTION = /\b(\w+Exception = )Error\((formatProdErrorMessage\(\d+\))\)/g

/**
 * Makes the exceptions that react-dom creates while it is evaluated, and compares by identity, without a stack: where
 * something inspects the page, such as developer tools or Lighthouse, the browser parses all of react-dom again for it.
 */
export function reactExceptions(): Plugin {
  return {
    name: 'react-exceptions',
    apply: 'build',
    transform: {
      filter: { id: /react-dom-client\.production\.js$/ },
      handler: (code) => {
        if (!code.match(EXCEPTION))
          throw new Error('react-dom creates no exceptions; remove vite/react-exceptions.ts.')
        const replaced = code.replace(
          EXCEPTION,
          '$1Object.create(Error.prototype, { message: { value: $2 } })',
        )
        return { code: replaced, map: null }
      },
    },
  }
}
