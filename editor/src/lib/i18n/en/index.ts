import { account } from './account'
import { agents } from './agents'
import { assets } from './assets'
import { auth } from './auth'
import { canvas } from './canvas'
import { common } from './common'
import { errors } from './errors'
import { history } from './history'
import { home } from './home'
import { inspector } from './inspector'
import { launch } from './launch'
import { onboarding } from './onboarding'
import { palette } from './palette'
import { runs } from './runs'

/** One catalogue, a file for each feature. */
export const en = {
  account,
  agents,
  assets,
  auth,
  canvas,
  common,
  errors,
  history,
  home,
  inspector,
  launch,
  onboarding,
  palette,
  runs,
}
