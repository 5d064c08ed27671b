import { i18n } from '.'
import { credentials } from './en/credentials'

/** Adds the texts of content credentials; imported by the chunks that show them. */
i18n.addResourceBundle('en', 'credentials', credentials)
