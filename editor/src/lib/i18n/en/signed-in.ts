import { account } from './account'
import { agents } from './agents'
import { assets } from './assets'
import { home } from './home'
import { launch } from './launch'
import { runs } from './runs'

/** The words of every page behind the door. */
export const signedIn = { account, agents, assets, home, launch, runs }
