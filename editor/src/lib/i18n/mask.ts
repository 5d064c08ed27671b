import { i18n } from '.'
import { mask } from './en/mask'

/** Adds the texts of the mask painter; imported by its chunk, so that they load with it. */
i18n.addResourceBundle('en', 'mask', mask)
