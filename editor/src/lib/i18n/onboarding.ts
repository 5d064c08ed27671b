import { i18n } from '.'
import { onboarding } from './en/onboarding'

/** Adds the texts of onboarding; imported by the chunk of its pages, so that they load with them. */
i18n.addResourceBundle('en', 'onboarding', onboarding)
