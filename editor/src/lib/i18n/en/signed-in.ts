import { agents } from './agents'
import { home } from './home'
import { launch } from './launch'

/** The texts of pages that require sign-in, except Account, the library, runs, the editor and the admin pages. */
export const signedIn = { agents, home, launch }
