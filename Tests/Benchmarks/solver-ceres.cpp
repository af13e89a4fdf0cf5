// Ceres on a set of bench-solver's: one residual block a view with derivatives by hand, the poses
// eliminated by a dense Schur complement, start values by OpenCV.

#include <ceres/ceres.h>

#include <cmath>
#include <opencv2/calib3d.hpp>

#include "solver-views.hpp"

// Rodrigues' formula, and the derivative of a small turn by the rotation vector (the left Jacobian).
static void rotation(const double *w, double R[3][3], double L[3][3]) {
  const double s2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], s = std::sqrt(s2);
  const bool tiny = s < 1e-5;
  const double a = tiny ? 1 - s2 / 6 : std::sin(s) / s;
  const double b = tiny ? 0.5 - s2 / 24 : (1 - std::cos(s)) / s2;
  const double c = tiny ? 1.0 / 6 : (1 - a) / s2;
  const double K[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double square = w[i] * w[j] - (i == j ? s2 : 0);
      R[i][j] = (i == j) + a * K[i][j] + b * square;
      L[i][j] = (i == j) + b * K[i][j] + c * square;
    }
}

class ViewCost : public ceres::CostFunction {
 public:
  ViewCost(const double *board, const double *pixels, int points)
      : board_(board), pixels_(pixels), points_(points) {
    set_num_residuals(2 * points);
    *mutable_parameter_block_sizes() = {9, 6};
  }

  bool Evaluate(double const *const *blocks, double *residuals, double **jacobians) const override {
    const double *q = blocks[0], *pose = blocks[1];
    double R[3][3], L[3][3];
    rotation(pose, R, L);
    for (int i = 0; i < points_; ++i) {
      const double bx = board_[2 * i], by = board_[2 * i + 1];
      double Y[3];
      for (int k = 0; k < 3; ++k) Y[k] = R[k][0] * bx + R[k][1] * by;
      const double z = Y[2] + pose[5];
      if (!(z > 0)) return false;
      const double x = (Y[0] + pose[3]) / z, y = (Y[1] + pose[4]) / z;
      const double r2 = x * x + y * y, r4 = r2 * r2, xy = 2 * x * y;
      const double radial = 1 + q[4] * r2 + q[5] * r4 + q[8] * r4 * r2;
      const double tx = r2 + 2 * x * x, ty = r2 + 2 * y * y;
      const double dx = x * radial + q[6] * xy + q[7] * tx, dy = y * radial + q[6] * ty + q[7] * xy;
      residuals[2 * i] = q[0] * dx + q[2] - pixels_[2 * i];
      residuals[2 * i + 1] = q[1] * dy + q[3] - pixels_[2 * i + 1];
      if (jacobians == nullptr) continue;
      if (double *J = jacobians[0]) {
        double *u = J + 18 * i, *v = u + 9;
        const double fx = q[0] * x, fy = q[1] * y;
        const double rowU[9] = {dx, 0, 1, 0, fx * r2, fx * r4, q[0] * xy, q[0] * tx, fx * r4 * r2};
        const double rowV[9] = {0, dy, 0, 1, fy * r2, fy * r4, q[1] * ty, q[1] * xy, fy * r4 * r2};
        std::copy(rowU, rowU + 9, u);
        std::copy(rowV, rowV + 9, v);
      }
      if (double *J = jacobians[1]) {
        const double slope = q[4] + 2 * q[5] * r2 + 3 * q[8] * r4;
        const double xx = radial + 2 * x * x * slope + 2 * q[6] * y + 6 * q[7] * x;
        const double yy = radial + 2 * y * y * slope + 6 * q[6] * y + 2 * q[7] * x;
        const double mixed = xy * slope + 2 * q[6] * x + 2 * q[7] * y;
        const double byX[2][2] = {{q[0] * xx, q[0] * mixed}, {q[1] * mixed, q[1] * yy}};
        for (int row = 0; row < 2; ++row) {
          const double g[3] = {byX[row][0] / z, byX[row][1] / z,
                               -(byX[row][0] * x + byX[row][1] * y) / z};
          const double turn[3] = {Y[1] * g[2] - Y[2] * g[1], Y[2] * g[0] - Y[0] * g[2],
                                  Y[0] * g[1] - Y[1] * g[0]};
          double *out = J + 12 * i + 6 * row;
          for (int k = 0; k < 3; ++k) {
            out[k] = turn[0] * L[0][k] + turn[1] * L[1][k] + turn[2] * L[2][k];
            out[3 + k] = g[k];
          }
        }
      }
    }
    return true;
  }

 private:
  const double *board_, *pixels_;
  int points_;
};

static double solve(const Views &views, double &fx) {
  std::vector<cv::Point3f> board;
  for (int i = 0; i < views.points; ++i)
    board.emplace_back(float(views.board[2 * size_t(i)]), float(views.board[2 * size_t(i) + 1]), 0.f);
  std::vector<std::vector<cv::Point2f>> seen(size_t(views.count));
  size_t next = 0;
  for (auto &view : seen)
    for (int i = 0; i < views.points; ++i, next += 2)
      view.emplace_back(float(views.pixels[next]), float(views.pixels[next + 1]));
  const cv::Mat K = cv::initCameraMatrix2D(
      std::vector<std::vector<cv::Point3f>>(seen.size(), board), seen,
      cv::Size(views.width, views.height));
  double camera[9] = {K.at<double>(0, 0), K.at<double>(1, 1), K.at<double>(0, 2),
                      K.at<double>(1, 2)};
  std::vector<double> poses(6 * seen.size());
  ceres::Problem problem;
  auto *order = new ceres::ParameterBlockOrdering;
  for (size_t view = 0; view < seen.size(); ++view) {
    cv::Mat turn, shift;
    cv::solvePnP(board, seen[view], K, cv::noArray(), turn, shift, false, cv::SOLVEPNP_IPPE);
    double *pose = &poses[6 * view];
    std::copy(turn.ptr<double>(), turn.ptr<double>() + 3, pose);
    std::copy(shift.ptr<double>(), shift.ptr<double>() + 3, pose + 3);
    problem.AddResidualBlock(
        new ViewCost(views.board.data(), &views.pixels[2 * size_t(views.points) * view],
                     views.points),
        nullptr, camera, pose);
    order->AddElementToGroup(pose, 0);
  }
  order->AddElementToGroup(camera, 1);
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_SCHUR;
  options.linear_solver_ordering.reset(order);
  options.num_threads = 1;
  options.max_num_iterations = 100;
  options.function_tolerance = 1e-12;
  options.parameter_tolerance = 1e-10;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  fx = camera[0];
  return std::sqrt(2 * summary.final_cost / (double(views.points) * views.count));
}

int main(int argc, char **argv) {
  if (argc < 2) return 64;
  cv::setNumThreads(1);
  const Views views(argv[1]);
  if (views.fisheye) return 0;
  report(std::string("Ceres ") + CERES_VERSION_STRING, views,
         [&](double &fx) { return solve(views, fx); });
}
