export { Inspector } from './inspector'
