export { default as laterStyle } from './styles/form.css?inline'
