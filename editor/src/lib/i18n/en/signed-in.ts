import { account } from './account'
import { agents } from './agents'
import { assets } from './assets'
import { home } from './home'
import { launch } from './launch'
import { runs } from './runs'
import { usage } from './usage'

/** The texts of pages that require sign-in. */
export const signedIn = { account, agents, assets, home, launch, runs, usage }
