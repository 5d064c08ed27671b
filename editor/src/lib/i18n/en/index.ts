import type { admin } from './admin'
import { auth } from './auth'
import { common } from './common'
import type { editor } from './editor'
import { errors } from './errors'
import { onboarding } from './onboarding'
import type { signedIn } from './signed-in'

/** The texts of pages without sign-in. The catalog has one file per feature. */
export const publicTexts = { auth, common, errors, onboarding }

export type Texts = typeof publicTexts & typeof signedIn & typeof editor & { admin: typeof admin }
