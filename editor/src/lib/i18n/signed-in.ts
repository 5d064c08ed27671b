import { i18n } from '.'
import { signedIn } from './en/signed-in'

/** Imported by what draws the pages behind the door, so that their words come with them and not before. */
for (const [feature, words] of Object.entries(signedIn)) i18n.addResourceBundle('en', feature, words)
