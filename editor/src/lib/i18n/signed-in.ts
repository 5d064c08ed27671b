import { i18n } from '.'
import { signedIn } from './en/signed-in'

/** Adds the texts of signed-in pages; imported by the chunk of those pages, so that it loads with them. */
for (const [feature, texts] of Object.entries(signedIn)) i18n.addResourceBundle('en', feature, texts)
