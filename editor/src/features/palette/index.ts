export { Palette } from './palette'
export { PalettePopover } from './palette-popover'
