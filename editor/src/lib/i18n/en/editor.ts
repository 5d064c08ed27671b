import { canvas } from './canvas'
import { compare } from './compare'
import { history } from './history'
import { inspector } from './inspector'
import { keyboard } from './keyboard'
import { palette } from './palette'

/** The texts of the editor. */
export const editor = { canvas, compare, history, inspector, keyboard, palette }
