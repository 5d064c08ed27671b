import { agents } from './agents'
import { assets } from './assets'
import { home } from './home'
import { launch } from './launch'
import { runs } from './runs'

/** The texts of pages that require sign-in, except Account, the editor and the admin pages. */
export const signedIn = { agents, assets, home, launch, runs }
