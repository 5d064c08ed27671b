import { i18n } from '.'
import { assets } from './en/assets'

/** Adds the texts of the library; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'assets', assets)
