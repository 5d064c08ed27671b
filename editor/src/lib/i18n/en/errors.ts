/** Errors that do not come from the server. */
export const errors = {
  notFound: 'Not Found',
  notFoundHelp: 'This page does not exist.',
  goHome: 'Go to Home',
  fallback: 'Something went wrong!',
  fallbackHelp: 'Your saved work is safe. Reload the page to continue.',
  notLoaded: 'This page could not be loaded',
  partNotLoaded: 'This part could not be loaded',
  notLoadedHelp: 'Check your connection, then try again.',
  unexpected: 'An error occurred. Please try again later.',
  unreachable: 'The server cannot be reached. Check your connection and try again.',
  codesUsedUp: 'Too many wrong codes. Ask for a new one.',
  noUser: 'No data found',
}
