import type { account } from './account'
import type { admin } from './admin'
import type { assets } from './assets'
import { auth } from './auth'
import type { brands } from './brands'
import type { change } from './change'
import { common } from './common'
import type { conditions } from './conditions'
import type { connections } from './connections'
import type { credentials } from './credentials'
import type { editor } from './editor'
import { errors } from './errors'
import { onboarding } from './onboarding'
import type { runList } from './run-list'
import type { runs } from './runs'
import type { signedIn } from './signed-in'
import type { usage } from './usage'

/** The texts of pages without sign-in. The catalog has one file per feature. */
export const publicTexts = { auth, common, errors, onboarding }

type PageTexts = {
  account: typeof account
  admin: typeof admin
  assets: typeof assets
  brands: typeof brands
  change: typeof change
  conditions: typeof conditions
  connections: typeof connections
  credentials: typeof credentials
  runList: typeof runList
  runs: typeof runs
  usage: typeof usage
}

export type Texts = typeof publicTexts & typeof signedIn & typeof editor & PageTexts
