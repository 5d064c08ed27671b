/** What the link of an e-mail with a code contains, if the code works only through that link. */
export type CodeLink = { username: string; code: string; token: string }

/** What the link of an e-mail to a new address contains, if its code works only through that link. */
export type EmailLink = { email: string; code: string; token: string }

/** The values of a link with a code in the fragment of the current URL, or null. */
export function readCodeLink(hash = window.location.hash): CodeLink | null {
  const { username, code, token } = valuesOf(hash)
  return username && code && token ? { username, code, token } : null
}

/** The values of a link to a new address in the fragment of the current URL, or null. */
export function readEmailLink(hash = window.location.hash): EmailLink | null {
  const { email, code, token } = valuesOf(hash)
  return email && code && token ? { email, code, token } : null
}

const valuesOf = (hash: string): Partial<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(hash.slice(1)))
