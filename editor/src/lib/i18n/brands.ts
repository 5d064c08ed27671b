import { i18n } from '.'
import { brands } from './en/brands'

/** Adds the texts of the pages of brands; imported by their chunk, so that it loads with them. */
i18n.addResourceBundle('en', 'brands', brands)
