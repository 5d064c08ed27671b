import type { account } from './account'
import type { admin } from './admin'
import type { apiWorkflow } from './api-workflow'
import type { assets } from './assets'
import type { auth } from './auth'
import type { brands } from './brands'
import type { change } from './change'
import { common } from './common'
import type { conditions } from './conditions'
import type { connections } from './connections'
import type { credentials } from './credentials'
import type { editor } from './editor'
import { errors } from './errors'
import type { mask } from './mask'
import type { onboarding } from './onboarding'
import type { runList } from './run-list'
import type { runs } from './runs'
import type { signedIn } from './signed-in'
import type { usage } from './usage'

/** The texts of every page. The catalog has one file per feature. */
export const sharedTexts = { common, errors }

type PageTexts = {
  account: typeof account
  admin: typeof admin
  apiWorkflow: typeof apiWorkflow
  assets: typeof assets
  auth: typeof auth
  brands: typeof brands
  change: typeof change
  conditions: typeof conditions
  connections: typeof connections
  credentials: typeof credentials
  mask: typeof mask
  onboarding: typeof onboarding
  runList: typeof runList
  runs: typeof runs
  usage: typeof usage
}

export type Texts = typeof sharedTexts & typeof signedIn & typeof editor & PageTexts
