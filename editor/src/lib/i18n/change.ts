import { i18n } from '.'
import { change } from './en/change'

/** Adds the texts of changing an image; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'change', change)
