/** The path to open after signing in; never another origin. */
export function returnPath(next: string | undefined): string {
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/'
}
