import './signed-in'
import { i18n } from '.'
import { editor } from './en/editor'

/** Adds the texts of the editor; imported by the editor's chunk. */
for (const [feature, texts] of Object.entries(editor)) i18n.addResourceBundle('en', feature, texts)
