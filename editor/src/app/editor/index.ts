export { EditorPage } from './editor-page'
