/** Where to go after signing in: a path of ours, never another site. */
export function returnPath(next: string | undefined): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/'
}
