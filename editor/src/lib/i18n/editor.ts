import './signed-in'
import { i18n } from '.'
import { editor } from './en/editor'

/** Imported by the editor, which is behind the door too. */
for (const [feature, words] of Object.entries(editor)) i18n.addResourceBundle('en', feature, words)
