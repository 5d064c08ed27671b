export { Inspector, InspectorDrawer, InspectorRail } from './inspector'
