/** What the link of an e-mail with a code contains, if the code works only through that link. */
export type CodeLink = { username: string; code: string; token: string }

/** The values of such a link in the fragment of the current URL, or null. */
export function readCodeLink(hash = window.location.hash): CodeLink | null {
  const values = new URLSearchParams(hash.slice(1))
  const [username, code, token] = ['username', 'code', 'token'].map((name) => values.get(name))
  return username && code && token ? { username, code, token } : null
}
