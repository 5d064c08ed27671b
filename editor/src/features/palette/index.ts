export { Palette } from './palette'
export { PaletteDrawer } from './palette-drawer'
export { PalettePopover } from './palette-popover'
