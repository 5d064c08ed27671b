export { Inspector, InspectorDrawer } from './inspector'
