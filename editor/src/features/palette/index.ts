export { PaletteDock } from './palette-dock'
export { PaletteDrawer } from './palette-drawer'
export { PalettePopover } from './palette-popover'
