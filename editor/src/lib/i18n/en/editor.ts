import { canvas } from './canvas'
import { history } from './history'
import { inspector } from './inspector'
import { palette } from './palette'

/** The words of the editor. */
export const editor = { canvas, history, inspector, palette }
