import { auth } from './auth'
import { common } from './common'
import type { editor } from './editor'
import { errors } from './errors'
import { onboarding } from './onboarding'
import type { signedIn } from './signed-in'

/** One catalogue, a file for each feature; these are the words that somebody who is not signed in may come to read. */
export const first = { auth, common, errors, onboarding }

export type Words = typeof first & typeof signedIn & typeof editor
