/** What went wrong, where the server does not say it itself. */
export const errors = {
  notFound: 'Not Found',
  notFoundHelp: 'There is nothing at this address.',
  goHome: 'Go to Home',
  fallback: 'Something went wrong!',
  fallbackHelp: 'Your work on the server is safe. Reload the page to go on.',
  unexpected: 'An error occurred. Please try again later.',
  unreachable: 'The server cannot be reached. Check your connection and try again.',
  noUser: 'No data found',
  noAssets: 'No assets found',
}
