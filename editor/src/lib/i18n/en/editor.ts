import { canvas } from './canvas'
import { history } from './history'
import { inspector } from './inspector'
import { keyboard } from './keyboard'
import { palette } from './palette'

/** The words of the editor. */
export const editor = { canvas, history, inspector, keyboard, palette }
