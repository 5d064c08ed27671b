export { EditAnnouncer } from './a11y/edit-announcer'
export { RunAnnouncer } from './a11y/run-announcer'
export { Canvas } from './canvas'
export { CompareDialog } from './compare/compare-dialog'
export { ComparisonEnded } from './compare/comparison-ended'
export {
  CommandPalette,
  ProblemsDialog,
  ProblemsPanel,
  PublishDialog,
  RunsDialog,
  Shortcuts,
  VariablesDialog,
  VariablesPanel,
} from './panels/lazy-panels'
export { LaunchErrorDialog, WithheldNotice } from './panels/notices'
export { SelectionBar } from './panels/selection-bar'
export { RunDock } from './run/run-dock'
export { CanvasTools } from './toolbar/canvas-tools'
export { SaveState } from './toolbar/save-state'
export { TopBar } from './toolbar/top-bar'
