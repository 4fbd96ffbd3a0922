import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import { homePicture } from "./home-picture.js";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-after": homePicture }),
};
