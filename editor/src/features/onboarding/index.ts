export { ActivateAccountPage } from './activate-account-page'
export { CompanyPage } from './company-page'
export { WhyPage } from './why-page'
