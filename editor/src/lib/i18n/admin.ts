import { i18n } from '.'
import { admin } from './en/admin'

/** Adds the texts of the admin pages; imported by their chunk, so that it loads with them. */
i18n.addResourceBundle('en', 'admin', admin)
